import { type Heritage, TONES, wordList } from './names-kit.ts'

export const westAfrican: Heritage = {
  key: 'west-african',
  female: wordList(
    'Abena Adaeze Adwoa Amara Ayodele Bolanle Chiamaka Efua Folasade Ifeoma Kemi Ngozi Nneka Simisola Temitope Yewande Zainab',
  ),
  male: wordList(
    'Ade Babatunde Chidi Chukwuemeka Emeka Femi Ikenna Kofi Kwabena Kwame Obinna Olumide Oluwaseun Segun Tobi Tunde Uche',
  ),
  last: wordList(
    'Abara Acheampong Adebayo Adeyemi Afolabi Agyeman Akande Amoah Asante Balogun Boateng Danso Eze Ibekwe Lawal Mensah Nwosu Obi Oduya Ogunleye Okafor Okonkwo Olawale Osei Owusu',
  ),
  tones: TONES.dark,
  languages: [
    ['yo', 0.5],
    ['fr', 0.12],
  ],
}

export const hindu: Heritage = {
  key: 'south-asian-hindu',
  female: wordList(
    'Aarti Ananya Anjali Asha Deepa Divya Gayatri Geeta Ishani Kavita Lakshmi Meera Nandini Nisha Pooja Priya Radhika Rekha Shreya Sunita Swati Vidya',
  ),
  male: wordList(
    'Aditya Ajay Amit Anand Arjun Ashok Deepak Dev Hari Kiran Manish Mohan Nikhil Pradeep Rahul Rajesh Rohan Sanjay Suresh Varun Vijay Vikram',
  ),
  last: wordList(
    'Agarwal Bhatt Chandra Chaudhari Desai Deshmukh Gupta Iyer Jain Joshi Kapoor Krishnan Kulkarni Mehta Menon Mishra Nair Patel Pillai Rao Reddy Sharma Shah Subramaniam Trivedi Varma',
  ),
  tones: TONES.brown,
  languages: [
    ['hi', 0.72],
    ['gu', 0.28],
    ['ta', 0.18],
  ],
}

export const punjabi: Heritage = {
  key: 'punjabi',
  female: wordList(
    'Amrit Gurleen Harleen Harpreet Jasleen Jaspreet Kirandeep Manpreet Navneet Parminder Rupinder Simran Sukhvinder',
  ),
  male: wordList(
    'Amandeep Balvinder Gurdeep Gurpreet Harjit Inderjit Jaspal Jasvir Kuldeep Manjit Navdeep Ranjit Sukhdeep',
  ),
  last: wordList(
    'Bains Bhogal Chahal Dhaliwal Dhillon Gill Grewal Johal Kang Mann Rai Randhawa Sahota Sandhu Sidhu Sohal Virk',
  ),
  tones: TONES.brown,
  languages: [
    ['pa', 0.9],
    ['hi', 0.5],
    ['ur', 0.1],
  ],
  turban: 0.45,
}

export const muslimSouthAsian: Heritage = {
  key: 'south-asian-muslim',
  female: wordList(
    'Aisha Amina Anam Ayesha Bushra Farah Fatima Hafsa Humaira Iqra Khadija Maryam Mehreen Nadia Rabia Rukhsana Saba Sadia Samina Sana Tahira Zara',
  ),
  male: wordList(
    'Abdul Adnan Ahmed Asif Bilal Faisal Hamza Haroon Imran Irfan Jamil Kamran Khalid Nadeem Naveed Omar Rashid Salman Shahid Tariq Usman Yusuf Zahid',
  ),
  last: wordList(
    'Ahmad Akhtar Alam Anwar Aziz Bashir Butt Chaudhry Hossain Hussain Iqbal Javed Karim Khan Mahmood Malik Miah Mirza Qureshi Rafiq Rahman Rashid Saleem Sheikh Siddiqui Uddin Zaman',
  ),
  tones: TONES.brown,
  languages: [
    ['ur', 0.66],
    ['bn', 0.26],
    ['pa', 0.2],
    ['hi', 0.14],
  ],
  scarf: 0.38,
}

export const arab: Heritage = {
  key: 'arab',
  female: wordList(
    'Amal Dalia Dina Hala Hana Huda Layla Lina Mariam Maya Mona Nour Rana Rania Reem Salma Yasmin',
  ),
  male: wordList(
    'Ali Bassem Fadi Hassan Hisham Ibrahim Karim Khaled Mahmoud Mustafa Nabil Omar Rami Sami Tarek Walid Youssef Ziad',
  ),
  last: wordList(
    'Abbas Awad Darwish Fahmy Farouk Habib Haddad Hamdan Hassan Ismail Jaber Khalil Khoury Mansour Nasser Sabry Saleh Salem Shaheen Tawfik Youssef',
  ),
  tones: [
    [1, 46],
    [2, 46],
    [3, 8],
  ],
  languages: [
    ['ar', 0.95],
    ['fr', 0.22],
  ],
  scarf: 0.3,
}

export const chinese: Heritage = {
  key: 'chinese',
  female: wordList(
    'Bonnie Fiona Grace Hui Jia Jing Joanne Li-Ying Mei Ming Phoebe Qing Serena Vivian Wen Xiu Yan Yue',
  ),
  male: wordList(
    'Bo Chun Desmond Edmund Feng Hao Jian Jun Kelvin Lei Ming Raymond Terence Wei Xin Yang Yi Zhen',
  ),
  last: wordList(
    'Chan Chang Chen Cheung Chow Fung Guo Ho Huang Lam Lau Leung Li Lin Liu Luo Ma Ng Tang Tse Wang Wong Wu Xu Yeung Yip Zhang Zhao Zhou',
  ),
  tones: [
    [0, 22],
    [1, 78],
  ],
  languages: [
    ['zh', 0.7],
    ['yue', 0.45],
  ],
}

export const korean: Heritage = {
  key: 'korean',
  female: wordList('Eun-Ji Grace Hana Hye-Jin Jenny Ji-Woo Jin-Ah Minji Soo-Jin Sun-Hee Yuna'),
  male: wordList(
    'Daniel Dong-Hyun Hyun-Woo Jae-Won Ji-Hoon Joon Min-Ho Sang-Woo Sung-Min Tae-Yang Young-Ho',
  ),
  last: wordList(
    'Ahn Bae Cho Choi Chung Han Hong Jang Jeong Jung Kang Kim Kwon Lee Lim Moon Oh Park Seo Shin Yoon',
  ),
  tones: [
    [0, 34],
    [1, 66],
  ],
  languages: [['ko', 0.93]],
}

export const vietnamese: Heritage = {
  key: 'vietnamese',
  female: wordList(
    'Anh Bich Chau Dung Hanh Hoa Hong Huong Kim-Anh Lan Linh Mai Ngoc Phuong Quynh Thanh Thuy Trang Uyen',
  ),
  male: wordList(
    'An Bao Binh Cuong Dat Duc Hieu Hoang Huy Khoa Long Minh Nam Phong Quang Son Tam Thanh Tuan Vinh',
  ),
  last: wordList(
    'Bui Cao Dang Dinh Do Doan Duong Ha Hoang Huynh Le Luong Ly Mai Ngo Nguyen Pham Phan Tran Truong Vo Vu',
  ),
  tones: [
    [1, 84],
    [2, 16],
  ],
  languages: [['vi', 0.95]],
}

export const filipino: Heritage = {
  key: 'filipino',
  female: wordList(
    'Angelica Bernadette Carmela Cherry Corazon Divina Jasmine Jocelyn Liezel Lourdes Maricel Rowena Theresa',
  ),
  male: wordList(
    'Angelo Arnel Benedict Dennis Emmanuel Ferdinand Jerome Jun Mark-Anthony Noel Paolo Ramon Rodel',
  ),
  last: wordList(
    'Abad Aquino Bautista Buenaventura Castro Dela_Cruz Dizon Evangelista Manalo Mercado Ocampo Pangilinan Pascual Ramos Salonga Santiago Tolentino Valdez Villanueva',
  ),
  tones: [
    [1, 50],
    [2, 50],
  ],
  languages: [
    ['tl', 0.92],
    ['es', 0.08],
  ],
}

export const eastAfrican: Heritage = {
  key: 'east-african',
  female: wordList(
    'Asha Ayaan Deqa Fadumo Hodan Idil Ifrah Khadra Nasra Sagal Selam Tigist Wambui',
  ),
  male: wordList(
    'Abdi Abdirahman Bashir Dawit Farah Guled Liban Mohamud Njoroge Samatar Tesfaye Warsame Yonas',
  ),
  last: wordList(
    'Abdullahi Aden Barre Bekele Elmi Farah Girma Haile Hersi Jama Kamau Mohamed Muse Mwangi Nur Omar Osman Tadesse Warsame Yusuf',
  ),
  tones: TONES.dark,
  languages: [
    ['so', 0.62],
    ['ar', 0.25],
    ['it', 0.06],
  ],
  scarf: 0.42,
}

export const japanese: Heritage = {
  key: 'japanese',
  female: wordList('Aiko Akemi Emi Haruka Keiko Mariko Megumi Naoko Rie Sakura Yoko Yumi'),
  male: wordList('Akira Daichi Hiroshi Kazuo Kenji Makoto Naoki Ryo Satoshi Takeshi Yuki Yusuke'),
  last: wordList(
    'Endo Fujita Hayashi Inoue Ishikawa Ito Kato Kimura Kobayashi Matsuda Mori Nakamura Ogawa Saito Sasaki Shimizu Takahashi Tanaka Watanabe Yamamoto',
  ),
  tones: [
    [0, 30],
    [1, 70],
  ],
  languages: [['ja', 0.92]],
}

import { type Heritage, TONES, wordList } from './names-kit.ts'

export const british: Heritage = {
  key: 'british',
  female: wordList(
    'Alice Amelia Anna Beatrice Bethan Caitlin Catherine Charlotte Claire Daisy Eleanor Elizabeth Ella Emily Emma Esther Fiona Florence Frances Georgia Grace Hannah Harriet Helen Imogen Isla Jane Jennifer Jessica Joanna Judith Kate Laura Lucy Lydia Margaret Martha Megan Morag Natalie Nicola Olivia Philippa Rachel Rebecca Rhiannon Rosalind Ruth Sarah Shona Sophie Susan Victoria Zoe',
  ),
  male: wordList(
    'Adam Alan Alexander Alistair Andrew Angus Anthony Benjamin Callum Charles Christopher Colin Daniel David Duncan Edward Ewan Fergus Frank Gareth George Gordon Graham Harry Hugh Huw Iain Ian Jack James John Jonathan Joseph Kenneth Laurence Lewis Luke Malcolm Mark Matthew Michael Neil Nicholas Oliver Oscar Owen Patrick Peter Philip Rhys Richard Robert Rory Samuel Simon Stephen Stuart Thomas Toby William',
  ),
  last: wordList(
    'Adams Ainsworth Allen Armitage Ashworth Bailey Baker Barlow Barnes Bennett Blackwood Bowen Bradshaw Brooks Buchanan Burgess Cameron Campbell Carter Chambers Clarke Cooper Cox Crawford Davies Dawson Drummond Edwards Ellis Evans Farrow Fletcher Forsyth Foster Fraser Gibson Gill Goodwin Graham Grant Greenwood Griffiths Hadley Hall Hamilton Harding Harper Harris Hartley Hayes Henderson Hewitt Holden Holmes Howarth Hughes Hunter Irving Jackson Jenkins Johnston Jones Kendall Kerr Knight Lambert Lawson Lewis Lloyd Lockwood MacDonald MacLeod Marsh Marshall Mason McAllister McKenna Mercer Middleton Mitchell Morgan Morris Murray Nash Nicholson Norris Osborne Owen Palmer Parry Patterson Pearson Phillips Porter Powell Pritchard Quinn Ramsay Rees Reid Reynolds Richards Roberts Robertson Rowe Russell Sanderson Shaw Sinclair Smith Spencer Stewart Stokes Sutherland Sutton Swift Taylor Thomson Thornton Turnbull Turner Wainwright Walker Wallace Walsh Ward Watkins Watts Webster Whitaker Wilkinson Williams Wilson Winter Wood Wright Yates Young',
  ),
  tones: TONES.pale,
  languages: [
    ['fr', 0.1],
    ['cy', 0.05],
    ['es', 0.06],
    ['de', 0.04],
  ],
}

export const american: Heritage = {
  key: 'american',
  female: wordList(
    'Abigail Allison Amanda Amy Angela Ashley Audrey Brianna Brooke Caroline Cassandra Chelsea Christine Claire Danielle Deborah Denise Ebony Elena Elizabeth Emily Erin Evelyn Faith Gabrielle Hannah Heather Holly Imani Jasmine Jennifer Jocelyn Julia Karen Katherine Kayla Kendra Lauren Leah Lillian Madeline Megan Melissa Michelle Monica Naomi Natalie Nicole Paige Rachel Rebecca Renee Samantha Sarah Shannon Stephanie Tamara Tiffany Vanessa Whitney',
  ),
  male: wordList(
    'Aaron Alan Andre Andrew Anthony Austin Benjamin Blake Brandon Brian Bryce Caleb Cameron Charles Christopher Curtis Daniel Darnell David Derek Dominic Douglas Dustin Edward Elijah Eric Ethan Evan Franklin Gabriel Garrett Gregory Henry Isaac Jacob James Jared Jason Jeremiah Joel Jonathan Jordan Joshua Justin Keith Kevin Kyle Logan Marcus Matthew Maurice Nathan Patrick Paul Raymond Russell Samuel Scott Terrence Timothy Travis Tyler Vincent Wesley Zachary',
  ),
  last: wordList(
    'Abbott Alexander Anderson Baldwin Barrett Becker Bishop Booker Bradley Brennan Briggs Brown Bryant Burke Caldwell Callahan Carlson Chandler Coleman Collins Conway Crawford Cunningham Daniels Dawson Dixon Donovan Douglas Eaton Ellison Erickson Fields Finch Fisher Fleming Freeman Gallagher Gardner Goldberg Goodman Graves Greene Hansen Harmon Hawkins Hayes Hoffman Holloway Hopkins Houston Hudson Jefferson Jensen Johnson Jordan Kaplan Kaufman Keller Kelley Klein Lane Larson Levine Lindsey Mack Maxwell McBride McCarthy McDaniel Meyer Miller Monroe Moore Mosley Nelson Newton Nolan Olson Parker Payne Perkins Peterson Pierce Porter Randolph Reed Rhodes Robinson Rosenberg Ross Schneider Schultz Sharp Shelton Simmons Snyder Stanton Stein Stevens Stone Sullivan Tate Thompson Tucker Vance Wade Wagner Walton Warren Washington Weaver Webb Weiss West Wheeler Whitfield Winters Woodard Ziegler',
  ),
  tones: [
    [0, 62],
    [1, 14],
    [3, 10],
    [4, 14],
  ],
  languages: [
    ['es', 0.22],
    ['fr', 0.05],
    ['de', 0.03],
  ],
}

export const slavic: Heritage = {
  key: 'slavic',
  female: wordList(
    'Agnieszka Aleksandra Anastasia Daria Ewa Irina Joanna Kasia Katarzyna Ludmila Magdalena Marta Natalia Oksana Olena Olga Svetlana Tatiana Yulia',
  ),
  male: wordList(
    'Aleksander Andrei Bartosz Dmitri Grzegorz Igor Jakub Krzysztof Maksym Marek Mikhail Oleh Pavel Piotr Sergei Stanislaw Tomasz Viktor Wojciech',
  ),
  last: wordList(
    'Babenko Baran Bondarenko Dudek Ivanenko Jankowski Kaminska Koval Kowalczyk Kravets Lebedev Lis Marchenko Mazur Morozov Novak Orlov Pavlenko Petrenko Sadowski Sokolov Szymanski Tkachenko Volkov Wojcik Zajac',
  ),
  tones: [
    [0, 88],
    [1, 12],
  ],
  languages: [
    ['pl', 0.5],
    ['ru', 0.45],
    ['uk', 0.34],
    ['de', 0.1],
  ],
}

export const southEuropean: Heritage = {
  key: 'south-european',
  female: wordList(
    'Alessandra Ana Beatriz Bianca Carla Chiara Elena Eleni Francesca Giulia Ines Ioana Lucia Maria Marta Paola Sofia Theodora',
  ),
  male: wordList(
    'Alessandro Andrei Antonio Bruno Carlo Constantinos Dimitris Filippo Giorgos Joao Luca Marco Matteo Nikos Paulo Rui Stefano Tiago',
  ),
  last: wordList(
    'Almeida Barbosa Bianchi Carvalho Colombo Constantinou Dimitriou Dumitru Ferrari Fonseca Georgiou Greco Ionescu Lombardi Marino Moretti Nikolaidis Papadakis Pereira Popescu Ricci Romano Rossi Silva Stavrou Teixeira',
  ),
  tones: [
    [0, 40],
    [1, 60],
  ],
  languages: [
    ['it', 0.4],
    ['el', 0.26],
    ['pt', 0.3],
    ['es', 0.24],
    ['ro', 0.2],
  ],
}

export const hispanic: Heritage = {
  key: 'hispanic',
  female: wordList(
    'Adriana Alejandra Ana Camila Carmen Catalina Cristina Daniela Elena Gabriela Guadalupe Isabel Laura Lucia Mariana Marisol Patricia Paola Rosa Sofia Teresa Valeria Veronica Ximena',
  ),
  male: wordList(
    'Alejandro Andres Antonio Carlos Cesar Diego Eduardo Enrique Esteban Felipe Fernando Francisco Gabriel Hector Javier Jorge Jose Luis Manuel Mateo Miguel Pablo Rafael Ricardo Roberto Santiago',
  ),
  last: wordList(
    'Acosta Aguilar Alvarado Cabrera Camacho Castillo Cervantes Contreras Delgado Dominguez Espinoza Estrada Figueroa Fuentes Guerrero Gutierrez Herrera Jimenez Maldonado Marquez Medina Mejia Mendoza Morales Moreno Navarro Ochoa Ortega Padilla Pena Quintero Ramirez Reyes Rios Rivera Rosales Salazar Sandoval Santos Serrano Solis Trujillo Valdez Vargas Vega Villarreal Zamora',
  ),
  tones: [
    [1, 48],
    [2, 42],
    [0, 10],
  ],
  languages: [
    ['es', 0.97],
    ['pt', 0.05],
  ],
}

export const turkish: Heritage = {
  key: 'turkish',
  female: wordList('Aylin Ayse Burcu Defne Derya Ebru Elif Emine Esra Gizem Merve Selin Zeynep'),
  male: wordList('Ahmet Baris Burak Cem Deniz Emre Hakan Kemal Mehmet Murat Onur Serkan Volkan'),
  last: wordList(
    'Arslan Aydin Bulut Celik Demir Dogan Erdem Kaplan Kaya Kilic Koc Ozdemir Polat Sahin Tekin Toprak Yildiz Yilmaz',
  ),
  tones: TONES.warm,
  languages: [
    ['tr', 0.96],
    ['de', 0.1],
  ],
  scarf: 0.16,
}

export const persian: Heritage = {
  key: 'persian',
  female: wordList(
    'Azadeh Elham Laleh Leila Mahsa Mina Nasrin Niloufar Parisa Roya Shirin Yasaman',
  ),
  male: wordList('Amir Arash Babak Behrouz Cyrus Dariush Farhad Kaveh Mehdi Nima Reza Siavash'),
  last: wordList(
    'Ahmadi Amini Azimi Bahrami Ebrahimi Farahani Hosseini Jafari Karimi Moradi Nazari Rahimi Rostami Sadeghi Tehrani Yazdani',
  ),
  tones: TONES.warm,
  languages: [['fa', 0.96]],
}

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
